import { COMMON_FLAGS, flag, type parse, valued } from '../../command.ts'

/** The options of `plantroom simulate-fleet`. Here --url is the broker. */
export const FLAGS = {
  json: COMMON_FLAGS.json,
  profile: COMMON_FLAGS.profile,
  url: valued('URL', "the broker (the demo's, otherwise mqtt://127.0.0.1:1883); mqtts:// for TLS"),
  cloud: valued('URL', 'the service to register them with (PLANTROOM_URL), with the admin token'),
  org: valued('ID', "where to register them (the demo's organization, or one that is created)"),
  site: valued('ID', "the site (one named 'Imitated controllers')"),
  credentials: valued('FILE', 'use the devices of this file, and write new ones to it, for its owner only', {
    completes: 'file',
  }),
  'register-only': flag(
    'register and write the credentials, but connect nothing; for brokers with accounts of their own',
  ),
  'no-commission': flag('leave new devices without datapoints: they are online and send no measurements'),
  values: valued('N', 'datapoints of each controller (20)'),
  interval: valued('SECONDS', 'between two values of a datapoint (60)'),
  aligned: flag('all send at the start of an interval, instead of each at its own moment'),
  batch: valued('N', 'the most intervals in one message (10)'),
  backlog: valued('N', 'intervals that each controller has stored when it starts, as after an outage (1)'),
  silent: valued('K', 'K controllers that are online and answer no command'),
  'connect-rate': valued('N', 'connections begun in a second (500)'),
  for: valued('DURATION', 'end after a time such as 90s or 10m'),
  every: valued('SECONDS', 'between two lines (5)'),
  report: valued(
    'FILE',
    'write what the service has confirmed at the end, one line of JSON for each controller: {id, from, to}',
    { completes: 'file' },
  ),
} as const

export type FleetFlags = ReturnType<typeof parse<typeof FLAGS>>['values']
