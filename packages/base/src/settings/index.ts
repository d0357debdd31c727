/** Finds the settings of a program in its environment and in `plantroom.yaml`. */
export { CONFIG_VARIABLE, findSettings, NO_FILE } from './find-settings.ts'
export {
  BadConfiguration,
  configurationError,
  type Environment,
  type FoundSettings,
  onlyEnvironment,
} from './found-settings.ts'
