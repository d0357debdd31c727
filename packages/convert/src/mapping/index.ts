export { checkMapping, type MappingProblem } from './check.ts'
export { readMappingFile, writeMappingFile } from './file.ts'
export { PRESETS } from './presets.ts'
