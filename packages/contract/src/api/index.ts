import type { Route } from '../route.ts'
import { administrationRoutes } from './administration.ts'
import { commandRoutes, deviceRoutes } from './devices.ts'
import { operationRoutes } from './operation.ts'
import { packageRoutes } from './packages.ts'
import { signInRoutes } from './sign-in.ts'

/** The whole HTTP API, by the name of the operation. */
export const API = {
  ...commandRoutes,
  ...deviceRoutes,
  ...packageRoutes,
  ...administrationRoutes,
  ...signInRoutes,
  ...operationRoutes,
} as const satisfies Record<string, Route>
export type Api = typeof API
