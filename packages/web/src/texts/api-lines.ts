import { catalogue } from './language.ts'

/** IDs and commands for the engineers of a partner. */
export const apiLines = catalogue('apiLines', {
  title: 'API',
  intro: 'IDs and commands for programs that use this controller. The commands work in bash as they are.',
  show: 'Show IDs and commands',
  hide: 'Hide IDs and commands',
  organization: 'Organization',
  site: 'Site',
  controller: 'Controller',
  connection: 'Connection',
  datapoint: 'Datapoint',
  override: 'Override',
  copyId: 'Copy ID',
  copyIdOf: 'Copy ID of {name}',
  askForKey: 'Enter your API key once',
  lines: {
    export: 'Export the datapoints of this connection',
    read: 'Read the values of this connection',
    override: 'Hold this datapoint at {value} for ten minutes',
    cancel: 'Cancel that override',
  },
  controls: 'The override changes live equipment.',
  copyLine: 'Copy the command: {what}',
  readOnly: 'This datapoint cannot be written, so it cannot be overridden.',
  withKey: 'Commands for {name}, with this key',
})
