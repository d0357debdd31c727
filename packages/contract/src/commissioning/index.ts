export { failsafeOf } from './failsafes.ts'
export * from './file.ts'
export { datapointsByReference, fullName } from './names.ts'
export { fileProblems, fileWarnings } from './problems.ts'
