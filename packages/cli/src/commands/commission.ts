import type { Client } from '@plantroom/client/client'
import { ApiError } from '@plantroom/client/http'
import { type CommissioningResult, changesOf } from '@plantroom/contract/commissioning'
import { operatorClient, organizationOf } from '../clients.ts'
import { COMMON_FLAGS, type Command, parse, positionals, ReportedFailure } from '../command.ts'
import { type PlacedFile, readPlacedFile } from '../commissioning-file.ts'
import { describeChanges } from '../describe-changes.ts'
import { print, printable } from '../output.ts'

const INVALID = 400

export const commission: Command = {
  usage: `plantroom commission DEVICE FILE        load a commissioning file (JSON or YAML) onto a device and print the ids
plantroom commission DEVICE FILE --check   print every mistake, or what would change, and change nothing`,
  async run(args) {
    const { values, positionals: given } = parse(args, { ...COMMON_FLAGS, check: { type: 'boolean' } })
    const { DEVICE, FILE } = positionals(given, 'DEVICE', 'FILE')
    const placed = await readPlacedFile(FILE)
    const { client, config } = operatorClient(values)
    const on = { client, orgId: organizationOf(config), deviceId: DEVICE, json: values.json }
    if (values.check) return check(placed, on)
    const { file } = placed
    const result = await client.commission({ orgId: on.orgId, deviceId: DEVICE, body: file }).catch(async (error) => {
      // The answer names one mistake of the shape; a check names all.
      if (error instanceof ApiError && error.status === INVALID && error.field !== 'body')
        await reportMistakes(placed, on)
      throw error
    })
    for (const warning of result.warnings ?? []) console.error(printable(`warning: ${placed.describe(warning)}`))
    print(values.json, result, () => describeResult(file.technicalSystem, result))
  },
}

interface On {
  client: Client
  orgId: string
  deviceId: string
  json: boolean | undefined
}

/** Throws after printing the mistakes of a file, if a check finds any. */
async function reportMistakes({ file, describe }: PlacedFile, { client, orgId, deviceId }: On): Promise<void> {
  const { problems } = await client.checkCommissioning({ orgId, deviceId, body: { ...file } })
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
  for (const warning of warnings) console.error(printable(`warning: ${describe(warning)}`))
  if (!device.checked && isValid) console.error(printable(`checked by the cloud only: ${device.reason}`))
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
