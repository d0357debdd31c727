import type { Client } from '@plantroom/client/client'
import { ApiError } from '@plantroom/client/http'
import { type CommissioningResult, changesOf } from '@plantroom/contract/commissioning'
import { administration } from '../clients.ts'
import { COMMON_FLAGS, flag, ReportedFailure } from '../command.ts'
import { type PlacedFile, readPlacedFile } from '../commissioning-file.ts'
import { command, verb } from '../declare.ts'
import { describeChanges } from '../describe-changes.ts'
import { note, print, printable } from '../output.ts'

const INVALID = 400

export const commission = command('commission', {
  group: 'administer',
  about: 'load connections and datapoints onto a device',
  verbs: {
    '': verb({
      about: 'load a commissioning file (JSON or YAML) onto a device and print the ids',
      arguments: [
        { name: 'DEVICE', about: 'by id or name', completes: 'device' },
        { name: 'FILE', completes: 'file' },
      ],
      options: {
        ...COMMON_FLAGS,
        check: flag('print every mistake, or what would change, and change nothing'),
      },
      json: '{technicalSystemId, connections: [{id, name, datapoints: [{id, name}]}], warnings}',
      async run(flags, { DEVICE, FILE }) {
        const placed = await readPlacedFile(FILE)
        const { client, orgId, deviceId } = await administration(flags)
        const on = { client, orgId, deviceId: await deviceId(DEVICE), json: flags.json }
        if (flags.check) return check(placed, on)
        const { file } = placed
        const result = await client.commission({ orgId, deviceId: on.deviceId, body: file }).catch(async (error) => {
          // The answer names one mistake of the shape; a check names all.
          if (error instanceof ApiError && error.status === INVALID && error.field !== 'body')
            await reportMistakes(placed, on)
          throw error
        })
        for (const warning of result.warnings ?? []) warn(flags.json, placed.describe(warning))
        print(flags.json, result, () => describeResult(file.technicalSystem, result))
      },
    }),
  },
})

function warn(json: boolean | undefined, text: string): void {
  if (json) note(json, `warning: ${text}`)
  else console.error(printable(`warning: ${text}`))
}

interface On {
  client: Client
  orgId: string
  deviceId: string
  json: boolean | undefined
}

/** Throws after printing the mistakes of a file, if a check finds any. */
async function reportMistakes({ file, describe }: PlacedFile, { client, orgId, deviceId, json }: On): Promise<void> {
  const { problems } = await client.checkCommissioning({ orgId, deviceId, body: { ...file } })
  if (json && problems.length > 0) {
    throw new ApiError(INVALID, { message: problems.map(describe).join('; '), code: 'INVALID' })
  }
  for (const problem of problems) console.error(printable(describe(problem)))
  if (problems.length > 0) throw new ReportedFailure()
}

async function check(placed: PlacedFile, on: On): Promise<void> {
  const { file, describe } = placed
  const { client, orgId, deviceId, json } = on
  const result = await client.checkCommissioning({ orgId, deviceId, body: { ...file } })
  const { problems, warnings, held, device, before } = result
  const isValid = problems.length === 0
  const changes = isValid ? changesOf(before ?? undefined, file) : undefined
  for (const warning of warnings) warn(json, describe(warning))
  if (!device.checked && isValid && !json) console.error(printable(`checked by the cloud only: ${device.reason}`))
  print(json, { ...result, changes: changes ?? null }, () =>
    [
      ...problems.map(describe),
      ...held.map(({ connection, datapoint, fields }) => {
        const what = fields.includes('datapoint') ? 'cannot be removed' : `must keep its ${fields.join(', ')}`
        return `${connection}/${datapoint} is held and ${what}: release it first`
      }),
      ...(changes ? describeChanges(file.technicalSystem, changes) : []),
    ]
      .map(printable)
      .join('\n'),
  )
  if (!isValid || held.length > 0) throw new ReportedFailure()
}

function describeResult(system: string, result: CommissioningResult): string {
  return [
    `${result.technicalSystemId}  ${system}`,
    ...result.connections.flatMap((connection) => [
      `  ${connection.id}  ${connection.name}`,
      ...connection.datapoints.map((datapoint) => `    ${datapoint.id}  ${datapoint.name}`),
    ]),
  ]
    .map(printable)
    .join('\n')
}
