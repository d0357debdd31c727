/** Words for what a device holds: who, at what, until when, and what comes then. */
export const holds = {
  writer: {
    'demand-response': 'Demand response',
    'peak-shaving': 'Peak shaving',
    deviation: 'Schedule',
    plain: 'Being handed back',
  },
  /** The same within a sentence. */
  subject: {
    'demand-response': 'demand response',
    'peak-shaving': 'peak shaving',
    deviation: 'the schedule',
  },
  placedBy: (name: string) => `placed by ${name}`,
  until: (time: string, left: string) => `until ${time} (in ${left})`,
  untilAnyMoment: (time: string) => `until ${time} (any moment now)`,
  untilBelowLimit: 'until the load is below its limit again',
  untilScheduleEnds: 'as long as the schedule says',
  untilReleased: 'until it is released',
  thenBackTo: (value: string) => `then back to ${value}`,
  thenLeft: 'then it stays as it is: what was there before is not known',
  thenHeld: (subject: string, value: string) => `then ${subject} holds it at ${value}`,
  thenHeldUnknown: (subject: string) => `then ${subject} takes over`,
  handedBack: (value: string) => `is being handed back to ${value}`,
  handedBackUnknown: 'is being handed back',
  heldAt: (value: string) => `is held at ${value}`,
  held: 'is held',
  by: (who: string) => `by ${who}`,
  it: 'It',
  trouble: {
    'write-failed': 'The equipment could not be written.',
    'not-taken': 'The equipment did not take the value.',
  },
  windowFrom: (from: string, to: string) => `from ${from} to ${to}`,
} as const
