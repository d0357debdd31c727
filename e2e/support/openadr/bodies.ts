const report = (version: string, more: object = {}) => ({
  ...(version === '3.0' && { programID: 'object-999' }),
  eventID: 'object-999',
  clientName: 'plantroom',
  reportName: 'USAGE-1',
  payloadDescriptors: [{ objectType: 'REPORT_PAYLOAD_DESCRIPTOR', payloadType: 'USAGE', units: 'KWH' }],
  resources: [
    {
      resourceName: 'battery',
      intervals: [
        {
          id: 0,
          intervalPeriod: { start: '2030-01-01T00:00:00.000Z', duration: 'PT15M' },
          payloads: [{ type: 'USAGE', values: [1.5] }],
        },
      ],
    },
  ],
  ...more,
})

/** Reports as we send them. */
export const reports = (version: string) => [
  report(version),
  report(version, {
    resources: [
      { resourceName: 'AGGREGATED_REPORT', intervals: [{ id: 0, payloads: [{ type: 'ACK', values: [true] }] }] },
    ],
  }),
]

/** What a VTN takes, and what it refuses, by the descriptions. */
export function bodies(version: string): { path: string; body: unknown; isRight: boolean }[] {
  const wrong = (path: string, body: unknown) => ({ path, body, isRight: false })
  return [
    ...reports(version).map((body) => ({ path: 'reports', body, isRight: true })),
    wrong('reports', report(version, { clientName: '' })),
    wrong('reports', report(version, { clientName: undefined })),
    wrong('reports', report(version, { eventID: 'not an id' })),
    wrong(
      'reports',
      report(version, { resources: [{ resourceName: 'battery', intervals: [{ id: 'a', payloads: [] }] }] }),
    ),
    wrong(
      'reports',
      report(version, { resources: [{ resourceName: 'battery', intervals: [{ id: 0, payloads: [{ type: 'A' }] }] }] }),
    ),
    wrong('vens', {}),
    wrong('vens', { ...(version === '3.1' && { objectType: 'VEN_VEN_REQUEST' }), venName: '' }),
    wrong('subscriptions', { clientName: 'plantroom', programID: 'object-999' }),
    wrong('subscriptions', {
      clientName: 'plantroom',
      programID: 'object-999',
      objectOperations: [{ objects: ['NOTHING'], operations: ['CREATE'], callbackUrl: 'https://plantroom.example' }],
    }),
  ]
}
