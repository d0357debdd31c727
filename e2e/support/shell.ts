import { join } from 'node:path'
import type { Settings } from './environment.ts'
import type { Stack } from './stack.ts'

/** Environment of an operator's shell. Its data folder is empty, so that a demo in the checkout has no influence. */
export function operatorShell(stack: Stack): Settings {
  return {
    PLANTROOM_DATA: join(stack.folder, 'none'),
    PLANTROOM_URL: stack.cloud.ready.baseUrl,
    PLANTROOM_ADMIN_TOKEN: stack.cloud.ready.adminToken,
    PLANTROOM_ORG: stack.orgId,
  }
}

/** Environment of a partner's shell. */
export function partnerShell(stack: Stack): Settings {
  return {
    PLANTROOM_DATA: join(stack.folder, 'none'),
    PLANTROOM_URL: stack.cloud.ready.baseUrl,
    PLANTROOM_API_KEY: stack.apiKey,
    PLANTROOM_ORG: stack.orgId,
    PLANTROOM_DEVICE: stack.deviceId,
  }
}
