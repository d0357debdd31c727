import { catalogue } from './language.ts'

/** The technical systems of a site. */
export const systems = catalogue('systems', {
  title: 'Technical systems',
  intro: 'The connections, datapoints, schedules, peak shaving and power limits commissioned on each controller.',
  forAdmins: 'Only administrators can add controllers and load commissioning files.',
  noDevices: 'This site has no controllers yet',
  noDevicesHint: 'An administrator can add one and start it with the settings shown then.',
  noDevicesAdmin: 'Add one. You get the command that starts it in the building.',
  nothing: 'Nothing is commissioned on this controller yet.',
  toDevice: 'View values',
  toSchedules: 'Schedules and limits',
  versions: 'Versions',
  versionsLabel: 'Versions of {device}',

  connectionsLabel: 'Connections of {system}',
  connection: 'Connection',
  protocol: 'Protocol',
  datapoints: 'Datapoints',
  points: '{count, plural, one {# datapoint, {writable} writable} other {# datapoints, {writable} writable}}',
  pointsReadOnly: '{count, plural, one {# datapoint, read only} other {# datapoints, read only}}',

  schedule:
    '{count, plural, one {Schedule “{name}” controls {datapoint} (# slot)} other {Schedule “{name}” controls {datapoint} (# slots)}}',
  peak: {
    fixed: 'Peak shaving keeps {meter} below {limit} kW by shedding {loads}',
    hourly: 'Peak shaving keeps {meter} below hourly limits of {least} to {most} kW by shedding {loads}',
    none: 'Peak shaving has no limit for {meter}, so it does not shed {loads} yet',
  },
  peakWithoutLoads: {
    fixed: 'Peak shaving watches {meter} (limit {limit} kW) but has no loads to shed',
    hourly: 'Peak shaving watches {meter} (hourly limits of {least} to {most} kW) but has no loads to shed',
    none: 'Peak shaving watches {meter} but has no limit and no loads to shed',
  },
  powerLimit: 'Power limits of {meter} can move {loads}',
  powerLimitByContacts: 'Power limits of {meter} can move {loads}; {inputs} can place one',
  unknownPoint: 'a datapoint that is no longer commissioned',

  download: 'Download file',
  downloadLabel: 'Download file of {system}',

  load: {
    open: 'Load file',
    openLabel: 'Load file onto {device}',
    title: 'Load a commissioning file onto {device}',
    hint: 'A JSON or YAML file with one technical system. You see every mistake, or what changes, before anything is loaded.',
    choose: 'Choose file',
    input: 'Commissioning file',
    another: 'Choose another file',
    submit: 'Load file',
    remove: 'Remove technical system',
    done: 'Loaded {system}',
    warnings: '{count, plural, one {The file is loaded with # warning} other {The file is loaded with # warnings}}',
    gone: 'Removed {system} from the controller',
    offlineNow: 'The controller is offline. You can load a file when it is back online.',
    tooLarge: 'A commissioning file can have 3 MB at most.',
    notAnObject: 'The file must be an object with technicalSystem and connections.',
    syntax: 'The file is neither JSON nor YAML. Nothing changed.',
    unreadable: 'The browser could not read the file.',
  },

  device: {
    add: 'Add controller',
    addTitle: 'Add controller',
    name: 'Name',
    nameHint: 'For example the room where the controller is installed',
    noName: 'Enter a name for the controller.',
    submit: 'Add controller',
    renew: 'New secret',
    renewLabel: 'New secret for {name}',
    renewTitle: 'Create a new secret for {name}?',
    renewConsequence:
      'The old secret stops working immediately. The controller stays offline until you restart it with the new one. Active overrides continue meanwhile.',
    renewAction: 'Create secret',
    remove: 'Remove',
    removeLabel: 'Remove {name}',
    removeTitle: 'Remove {name}?',
    removeConsequence:
      'The controller is disconnected immediately and cannot reconnect. Plantroom forgets what is commissioned on it, but keeps its audit entries. The equipment stays as it is, so release active overrides first.',
    removeAction: 'Remove controller',
    removeHolding:
      'The controller still holds datapoints, or held some when it last answered. Release active overrides first: after the removal, nobody can end them early. A controller that has power ends them on time.',
    removeAnyway: 'Remove anyway',
    removed: 'Removed {name}',
  },

  secret: {
    title: 'Start the controller {name}',
    warning: 'Copy the secret now. You cannot see it again.',
    command: 'Run this on the controller',
    hint: 'Or set these three environment variables, for example in a service file, and run “plantroom edge”.',
    broker: 'The address of the MQTT broker. Change it if your operator gave you another one.',
    done: 'I have copied them',
  },
})
