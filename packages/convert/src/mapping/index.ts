export { readMappingFile, writeMappingFile } from './file.ts'
