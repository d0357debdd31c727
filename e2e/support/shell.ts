import { join } from 'node:path'
import type { Settings } from './environment.ts'
import type { Stack } from './stack.ts'

/** The settings of an operator's shell. The data folder is an empty one: a demo of the checkout must not help out. */
export function operatorShell(stack: Stack): Settings {
  return {
    PLANTROOM_DATA: join(stack.folder, 'none'),
    PLANTROOM_URL: stack.cloud.ready.baseUrl,
    PLANTROOM_ADMIN_TOKEN: stack.cloud.ready.adminToken,
    PLANTROOM_ORG: stack.orgId,
  }
}

/** The settings of a partner's shell. */
export function partnerShell(stack: Stack): Settings {
  return {
    PLANTROOM_DATA: join(stack.folder, 'none'),
    PLANTROOM_URL: stack.cloud.ready.baseUrl,
    PLANTROOM_API_KEY: stack.apiKey,
    PLANTROOM_ORG: stack.orgId,
    PLANTROOM_DEVICE: stack.deviceId,
  }
}
