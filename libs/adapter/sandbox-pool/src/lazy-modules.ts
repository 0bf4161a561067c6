/**
 * What esbuild writes into a bundle so that a module can be required late. It defines a getter for each export of each
 * such module at once, in every context, and builds the module's object with methods that a tool may have replaced by
 * then.
 */
const HELPERS = [
  [
    "__export=(target,all)=>{for(var name in all)__defProp(target,name,{get:all[name],enumerable:!0})}",
    "__export=(target,all)=>{target.all=all}",
  ],
  [
    '__toCommonJS=mod=>__copyProps(__defProp({},"__esModule",{value:!0}),mod)',
    "__keys=Object.keys,__toCommonJS=mod=>{const made={__proto__:null},names=__keys(mod.all);" +
      "for(let i=0;i<names.length;i++)made[names[i]]=mod.all[names[i]]();return made}",
  ],
] as const;

/**
 * The bundle with helpers that do nothing until a module is required, and then touch nothing that a tool can change.
 * Throws where esbuild writes other ones: then this file has to follow.
 */
export function makeModulesLazy(bundle: string): string {
  let made = bundle;
  for (const [theirs, ours] of HELPERS) {
    if (!made.includes(theirs))
      throw new Error(`esbuild's bundle has no ${theirs.slice(0, 20)}… as expected`);
    made = made.replace(theirs, () => ours);
  }
  return made;
}
