/** Every setting of every program: the one home of names, places, types, defaults and meanings. */
export { CLOUD_MAIN, CLOUD_SETTINGS } from './cloud.ts'
export { CLOUD_LIMITS } from './cloud-limits.ts'
export { CLOUD_SIGN_IN } from './cloud-sign-in.ts'
export { EDGE_SETTINGS } from './edge.ts'
export { fileSchema } from './file-schema.ts'
export { FILE_ENDING, masked, type Setting, type SettingTable } from './setting.ts'
export { CLI_SETTINGS, SIMULATOR_SETTINGS } from './tools.ts'
