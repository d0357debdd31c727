/** Events of NL-Flex as the profile has them; the judge says so. */

const HOUR = 3_600_000
const GROUP = 'group-1'

const shared = (programId: string) => ({ programID: programId })

/** What reports without an event of their own refer to. */
export const anchor = (programId: string) => ({
  ...shared(programId),
  eventName: 'Reporting anchor',
  reportDescriptors: ['REGISTRATION_REQUEST', 'DE_REGISTRATION_REQUEST', 'OPERATIONAL_STATUS'].map((payloadType) => ({
    payloadType,
    frequency: 0,
    repeat: -1,
  })),
})

export const baseline = (programId: string, kw: number) => ({
  ...shared(programId),
  eventName: 'Baseline',
  targets: [GROUP],
  payloadDescriptors: ['ACTIVE_BASELINE', 'RESERVED_BASELINE'].map(described),
  reportDescriptors: ['ACTIVE_FLEX_DELTA', 'RESERVED_FLEX_DELTA'].map((payloadType) => ({
    payloadType,
    reportIntervals: 'OPEN_INTERVALS',
    frequency: 0,
    repeat: -1,
  })),
  intervals: [
    {
      id: 0,
      payloads: [
        { type: 'ACTIVE_BASELINE', values: [kw] },
        { type: 'RESERVED_BASELINE', values: [0] },
      ],
    },
  ],
})

/** Two hours of flexibility between adjacent hours, an hour after the window of the event begins. */
export const flex = (programId: string, windowStart: number, kw: number) => {
  const interval = (id: number, hour: number, hours: number, value: number) => ({
    id,
    intervalPeriod: { start: at(windowStart + hour * HOUR), duration: `PT${hours}H` },
    payloads: [{ type: 'FLEX', values: [value] }],
  })
  return {
    ...shared(programId),
    eventName: 'Flexibility',
    targets: [GROUP],
    intervalPeriod: { start: at(windowStart), duration: 'P1D' },
    payloadDescriptors: [described('FLEX')],
    reportDescriptors: [
      { payloadType: 'ACK', frequency: 0 },
      { payloadType: 'DELIVERED_FLEX', reportIntervals: 'INTERVALS' },
    ],
    intervals: [interval(0, 1, 1, 0), interval(1, 2, 2, kw), interval(2, 4, 1, 0)],
  }
}

const at = (ms: number) => new Date(ms).toISOString()
const described = (payloadType: string) => ({ objectType: 'EVENT_PAYLOAD_DESCRIPTOR', payloadType, units: 'KW' })
