import { catalogue } from './language.ts'

/** Ids and commands for the engineers of a partner. */
export const apiLines = catalogue('apiLines', {
  title: 'API',
  intro: 'Ids and commands for programs that use this controller. The commands work in bash as they are.',
  show: 'Show ids and commands',
  hide: 'Hide ids and commands',
  organization: 'Organization',
  site: 'Site',
  controller: 'Controller',
  connection: 'Connection',
  datapoint: 'Datapoint',
  override: 'Override',
  copyId: 'Copy id',
  copyIdOf: 'Copy id of {name}',
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
