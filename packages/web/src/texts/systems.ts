import { counted, shownValue } from '../parts/value.ts'

/** The words of the technical systems. */
export const systems = {
  title: 'Technical systems',
  intro: 'What is commissioned on each device: its connections, datapoints, schedules and peak shaving.',
  forAdmins: 'Administrators add devices and load commissioning files.',
  noDevices: 'This site has no devices yet',
  noDevicesHint: 'An administrator adds one, and starts the edge with what is shown then.',
  online: 'Online',
  offline: 'Offline',
  nothing: 'Nothing is commissioned on this device yet.',
  toDevice: 'See its values',

  connections: 'Connections',
  connectionsLabel: (system: string) => `Connections of ${system}`,
  connection: 'Connection',
  protocol: 'Protocol',
  datapoints: 'Datapoints',
  points: (all: number, writable: number) =>
    writable === 0
      ? `${counted(all, 'datapoint')}, none can be written`
      : `${counted(all, 'datapoint')}, ${writable} can be written`,
  protocols: { 'modbus-tcp': 'Modbus TCP', mqtt: 'MQTT', obix: 'oBIX' },

  schedule: (name: string, datapoint: string, slots: number) =>
    `Schedule “${name}” drives ${datapoint} (${counted(slots, 'slot')})`,
  peak: (meter: string, limit: string, loads: string) => `Peak shaving keeps ${meter} ${limit}, and sheds ${loads}`,
  limit: (kw: number) => `below ${shownValue(kw)} kW`,
  hourly: (least: number, most: number) => `below limits by the hour, ${shownValue(least)} to ${shownValue(most)} kW`,
  noLimit: 'without a limit: nothing is shed yet',
  noLoads: 'nothing',
  unknownPoint: 'a datapoint that is gone',

  download: 'Download file',
  downloadLabel: (system: string) => `Download file of ${system}`,

  load: {
    open: 'Load a file',
    openLabel: (device: string) => `Load a file onto ${device}`,
    title: (device: string) => `Load a commissioning file onto ${device}`,
    hint: 'JSON or YAML, one technical system. What will change is shown before anything is loaded.',
    choose: 'Choose a file',
    input: 'Commissioning file',
    another: 'Choose another file',
    reading: 'Reading what is commissioned now …',
    submit: 'Load it',
    remove: 'Remove the technical system',
    done: (system: string) => `${system} is loaded`,
    warned: (warnings: readonly { path: string; message: string }[]) => ({
      title: `The file is loaded with ${counted(warnings.length, 'warning')}`,
      message: warnings
        .slice(0, 5)
        .map(({ path, message }) => `${path}: ${message}`)
        .concat(warnings.length > 5 ? [`and ${warnings.length - 5} more`] : [])
        .join('; '),
    }),
    gone: (system: string) => `${system} is removed from the device`,
    offline:
      'The device is offline. It judges the file itself, so it must be online: nothing was changed. Try again when it is back.',
    offlineNow: 'The device is offline now. A file can be loaded when it is back online.',
    mistakes: (count: number) => `The file has ${counted(count, 'mistake')}. Nothing was changed.`,
    refused: 'The device did not take it. Nothing was changed.',
    tooLarge: 'A commissioning file has 3 MB at most.',
    notAnObject: 'The file must be an object with technicalSystem and connections.',
    noName: 'The file does not name its technicalSystem.',
    noConnections: 'The file has no list of connections.',
    badConnection: (index: number) => `connections[${index}] needs a name and a list of datapoints, each with a name.`,
    badPeakShaving: 'peakShaving needs a meter and a list of loads, each with its datapoint.',
    badSchedules: 'Each of schedules needs a name, a datapoint and a list of slots with days.',
    syntax: (reason: string) => `The file is neither JSON nor YAML: ${reason}`,
    unreadable: 'The file could not be read.',
  },

  changes: {
    title: (system: string) => `What changes in ${system}`,
    new: (system: string) => `${system} is new on this device. Other systems stay as they are.`,
    same: (system: string) => `${system} is commissioned just so already: nothing changes.`,
    changed: (system: string) =>
      `${system} is replaced by what the file says. What keeps its name keeps its id; what is renamed is new.`,
    removed: (system: string) =>
      `The file has no connections: ${system} is removed from the device, with everything in it.`,
    absent: (system: string) => `The file has no connections, and the device has no ${system}: there is nothing to do.`,
    kinds: { new: 'New', changed: 'Changed', removed: 'Removed' },
    connection: (name: string) => `Connection ${name}`,
    unchanged: (count: number) => `${counted(count, 'datapoint')} unchanged`,
    points: (count: number) => counted(count, 'datapoint'),
    peak: 'Peak shaving',
    schedule: (name: string) => `Schedule ${name}`,
    more: (count: number) => `… and ${count.toLocaleString('en')} more`,
    fields: {
      protocol: 'protocol',
      settings: 'settings',
      accessType: 'access',
      writeInputType: 'input',
      writeInputData: 'envelope',
      analyticsInterval: 'archiving',
      analyticsCalculateConsumption: 'consumption',
      broadcastInterval: 'live values',
      writeInterval: 'repeated writing',
      scaler: 'scaler',
      failsafe: 'failsafe',
      data: 'address',
    } as Readonly<Record<string, string>>,
  },

  device: {
    add: 'Add a device',
    addTitle: 'Add a device',
    name: 'Name',
    nameHint: 'Such as the room where the controller stands',
    noName: 'Give the device a name.',
    submit: 'Add the device',
    renew: 'New secret',
    renewLabel: (name: string) => `New secret for ${name}`,
    renewTitle: (name: string) => `A new secret for ${name}?`,
    renewConsequence:
      'The old secret ends at once: the device is offline until it is started with the new one. Equipment stays as it is, and what the device holds goes on.',
    renewAction: 'Make a new secret',
    remove: 'Remove',
    removeLabel: (name: string) => `Remove ${name}`,
    removeTitle: (name: string) => `Remove ${name}?`,
    removeConsequence:
      'It is disconnected at once and cannot come back; what is commissioned on it is forgotten here. Equipment stays as it is: release what is held first. Its reports stay.',
    removeAction: 'Remove the device',
    removed: (name: string) => `${name} is removed`,
  },

  secret: {
    title: (name: string) => `Start the edge of ${name}`,
    warning: 'Copy the secret now: it is not shown again.',
    hint: 'On the controller, set these three and run “./plantroom edge”.',
    broker: 'The address of the MQTT broker. Change it where your operator says another.',
    done: 'I have copied them',
  },
} as const
