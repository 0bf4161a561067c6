import { LRUCache } from "lru-cache";
import { termsOf, type FileAsker, type FilesDeps, type SeenFile } from "../file-access.ts";
import { findSeen, seenPaths } from "../list-files.ts";
import { rankSkills } from "./rank-skills.ts";
import { readSkill, SKILL_BYTES_MAX, type Skill } from "./read-skill.ts";

const SKILLS_FOLDER = "skills";
const SKILL_FILE = /(?:^|\/)SKILL\.md$/;
/** Skills of one workspace that are searched, by their paths. */
const SKILLS_MAX = 2_000;
/** Words of all skills that are kept in memory: about 100 bytes each. */
const KEPT_TERMS_MAX = 600_000;
/** Files that are read at once, so that other work of the process comes in between. */
const READ_AT_ONCE = 8;
/** For how long one search reads front matters that it has not met before; those left over come with the next ones. Milliseconds. */
const READING_MS_MAX = 2_000;
/** Faults of skills that one answer tells. */
const FAULTS_MAX = 10;

/** What was read of skills, by tenant and by the hash of the bytes: another content is another entry, so that none is ever old. */
export type SkillShelf = LRUCache<string, Skill>;

export const openSkillShelf = (): SkillShelf =>
  new LRUCache<string, Skill>({ maxSize: KEPT_TERMS_MAX, sizeCalculation: ({ terms }) => terms.size + 10 });

type Deps = Pick<FilesDeps, "files" | "tenants"> & { shelf: SkillShelf };
type Asked = { query: string; limit: number; readingMs?: number };

export interface FoundSkills {
  /** The best first. */
  skills: { name: string; description: string; path: string; score: number }[];
  searched: number;
  /** There are more than `SKILLS_MAX`, or more new ones than one search has time to read, and these were not searched. */
  isCut: boolean;
  /** Skills whose front matter counts for nothing, and why. */
  faults: { path: string; fault: string }[];
}

/** The skills of the asker's workspace that fit the query: `skills/**\/SKILL.md`, the user's own, the agent's and the tenant's. */
export async function searchSkills(
  deps: Deps,
  asker: FileAsker,
  { query, limit, readingMs = READING_MS_MAX }: Asked,
): Promise<FoundSkills> {
  const terms = await termsOf(deps, asker);
  const paths = (await seenPaths(deps, asker, terms, SKILLS_FOLDER)).filter((path) => SKILL_FILE.test(path));
  const files = [...(await findSeen(deps, asker, terms, paths.slice(0, SKILLS_MAX))).values()];
  const { read, isCut } = await readAll(deps, files, readingMs);
  const skills = rankSkills(read, query)
    .slice(0, limit)
    .map(({ skill: { name, description, file }, score }) => ({
      name: name ?? folderOf(file.path),
      description,
      path: file.path,
      score: Math.round(score * 1_000) / 1_000,
    }));
  const faults = read.flatMap(({ file: { path }, fault }) => (fault === null ? [] : [{ path, fault }]));
  return {
    skills,
    searched: read.length,
    isCut: isCut || paths.length > SKILLS_MAX,
    faults: faults.slice(0, FAULTS_MAX),
  };
}

const folderOf = (path: string): string => path.split("/").at(-2) ?? path;

type ReadSkill = Skill & { file: SeenFile };

async function readAll(
  deps: Deps,
  files: readonly SeenFile[],
  readingMs: number,
): Promise<{ read: ReadSkill[]; isCut: boolean }> {
  const read: ReadSkill[] = [];
  const time = { leftMs: readingMs };
  let isCut = false;
  for (let at = 0; at < files.length; at += READ_AT_ONCE) {
    const some = files.slice(at, at + READ_AT_ONCE);
    const found = await Promise.all(some.map((file) => shelved(deps, file, time)));
    for (const skill of found)
      if (skill === "unread") isCut = true;
      else if (skill !== null) read.push(skill);
  }
  return { read, isCut };
}

/** Null where it was removed meanwhile; `unread` where the time for new ones is over. */
async function shelved(
  { files, shelf }: Deps,
  file: SeenFile,
  time: { leftMs: number },
): Promise<ReadSkill | null | "unread"> {
  const key = `${file.workspace.tenantId}/${file.hash}`;
  const known = shelf.get(key);
  if (known !== undefined) return { ...known, file };
  if (time.leftMs <= 0) return "unread";
  const bytes = await files.read(file, file.version, { from: 0, to: SKILL_BYTES_MAX });
  if (bytes === null) return null;
  const beganAt = performance.now();
  const skill = readSkill(Buffer.from(bytes).toString());
  time.leftMs -= performance.now() - beganAt;
  shelf.set(key, skill);
  return { ...skill, file };
}
