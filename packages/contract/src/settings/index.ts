/** Every setting of every program: the one home of names, places, types, defaults and meanings. */
export { CLOUD_MAIN, CLOUD_SETTINGS } from './cloud.ts'
export { CLOUD_LIMITS } from './cloud-limits.ts'
export { CLOUD_SIGN_IN } from './cloud-sign-in.ts'
export { describeSettings, secretValues } from './describe.ts'
export { EDGE_SETTINGS } from './edge.ts'
export { fileSchema } from './file-schema.ts'
export { FILE_ENDING, type Setting, type SettingTable } from './setting.ts'
export { CLI_SETTINGS, SIMULATOR_SETTINGS } from './tools.ts'

import { CLOUD_SETTINGS } from './cloud.ts'
import { EDGE_SETTINGS } from './edge.ts'
import type { SettingTable } from './setting.ts'
import { CLI_SETTINGS, SIMULATOR_SETTINGS } from './tools.ts'

/** The settings of all programs. */
export const ALL_SETTINGS: readonly SettingTable[] = [CLOUD_SETTINGS, EDGE_SETTINGS, SIMULATOR_SETTINGS, CLI_SETTINGS]
