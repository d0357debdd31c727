export { openS3Store } from '../s3-store.ts'
