export { IMPORT_POINTS, type ImportPoint } from './import.ts'
export { JOB_KINDS } from './job-kinds.ts'
