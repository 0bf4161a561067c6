export { getMemory } from "./memory/get-memory.ts";
export { hashedEmbeddings } from "./memory/hashed-embeddings.ts";
export { type KeepMemoryDeps, MemoryKeeper, sweepMemory } from "./memory/keep-memory.ts";
export { type MemoryDeps, type MemoryEngine, openMemoryEngine } from "./memory/memory-engine.ts";
export { searchMemory } from "./memory/search-memory.ts";
