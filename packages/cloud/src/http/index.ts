export { bucketOrigin, consoleRoutes } from './console.ts'
export { describeApi } from './openapi.ts'
export { operationRoutes as register } from './operation-routes.ts'
export { createServer } from './server.ts'
