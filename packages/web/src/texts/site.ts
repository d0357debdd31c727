import { counted } from '../parts/value.ts'

/** The overview of a site. */
export const site = {
  localTime: (time: string, timeZone: string) =>
    time.endsWith(timeZone) ? `${time} at the site` : `${time} at the site (${timeZone})`,
  held: 'Held right now',
  heldCount: (count: number) => counted(count, 'datapoint'),
  nothingHeld: 'Nothing is held. The building runs by itself.',
  nothingHeldKnown: 'Nothing is held by the devices that answer.',
  notKnown: (devices: string, count: number) =>
    `${devices} ${count === 1 ? 'does' : 'do'} not answer: what ${count === 1 ? 'it holds' : 'they hold'} is not known here. A device that holds something lets go by itself in time.`,
  listening: (devices: string) => `Asking ${devices} …`,
  stale: (time: string) => `Heard ${time}. The device does not answer now; it lets go by itself in time.`,
  heldAt: 'Held at',
  handedBackTo: 'Going back to',
  handedBack: 'Being handed back',
  on: (connection: string, device: string) => `${connection} · ${device}`,
  unknownDatapoint: 'A datapoint that is not commissioned any more',
  showAll: (count: number) => `Show all ${counted(count, 'datapoint')}`,
  queued: (count: number) => `${counted(count, 'window')} to come.`,
  queuedNext: (name: string, value: string, times: string, left: string) =>
    `Next: ${name} at ${value}, ${times} (in ${left})`,
  noneQueued: 'Nothing is planned.',
  devices: 'Devices',
  noDevices: 'This site has no device yet',
  noDevicesHint: 'An administrator adds one, and loads what it controls, in Settings under Technical systems.',
  online: 'Online',
  offline: 'Offline',
  clockSuspect: 'Its clock is not trusted: it takes no new windows until it is set right.',
  connectionsWork: (count: number) => (count === 1 ? 'Its connection works' : `All ${count} connections work`),
  noConnections: 'Nothing is commissioned on it',
  connectionStatus: { 1: 'connected', 2: 'connecting …', 0: 'disconnected', [-1]: 'in trouble' },
  connectionTrouble: (name: string, status: string) => `${name}: ${status}`,
  unknownConnection: 'A connection that is not commissioned any more',
  offlineBecause: (why: string) => (/[.!?]$/.test(why) ? why : `${why}.`),
  notConnected: 'It is not connected.',
  lastHeard: (time: string) => `Last heard ${time}.`,
  requests: 'Open maintenance requests',
  allRequests: 'All maintenance requests',
  newest: 'Newest',
  noRequests: 'No request is open.',
  requestNumber: (number: number) => `#${number}`,
} as const
