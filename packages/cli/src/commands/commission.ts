import type { Client } from '@plantroom/client/client'
import { ApiError } from '@plantroom/client/http'
import {
  type CommissioningFile,
  type CommissioningResult,
  changesOf,
  type FileProblem,
  type HeldDatapoint,
  keepsHold,
  type MatchedItem,
} from '@plantroom/contract/commissioning'
import { administration } from '../clients.ts'
import { COMMON_FLAGS, flag, ReportedFailure, required, UsageError } from '../command.ts'
import { type PlacedFile, readPlacedFile } from '../commissioning-file.ts'
import { command, verb } from '../declare.ts'
import { describeChanges } from '../describe-changes.ts'
import { note, print, printable } from '../output.ts'
import { deliverFile, fileFromTemplate, TEMPLATE_FLAGS } from './from-template.ts'

const INVALID = 400

export const commission = command('commission', {
  group: 'administer',
  about: 'load connections and datapoints onto a device',
  verbs: {
    '': verb({
      about: 'load a commissioning file (JSON or YAML) onto a device and print the ids',
      arguments: [
        { name: 'DEVICE', about: 'by id or name', completes: 'device', optional: true },
        { name: 'FILE', completes: 'file', optional: true },
      ],
      options: {
        ...COMMON_FLAGS,
        check: flag('print every mistake, or what would change, and change nothing'),
        keep: flag('do not go back by itself, even if the controller loses connections that it had'),
        'same-equipment': flag('changed addresses reach the same equipment, so what is held stays held over them'),
        ...TEMPLATE_FLAGS,
      },
      json: '{technicalSystemId, connections: [{id, name, datapoints: [{id, name}]}], matched: [{path, id, by, was}], warnings}',
      examples: [
        'plantroom commission boiler-room file.yaml',
        'plantroom commission --from-template eastron-sdm630 --set host=192.0.2.10 --set protocol=modbus-tcp --out meter.yaml',
      ],
      async run(flags, { DEVICE, FILE }) {
        const made = await madeFile(flags, { DEVICE, FILE })
        if (made && (DEVICE === undefined || flags.out !== undefined)) return deliverFile(made.file, flags)
        const read = made ?? (await readPlacedFile(required(FILE, 'FILE')))
        const said = { ...(flags['same-equipment'] && { sameEquipment: true }), ...(flags.keep && { keep: true }) }
        const placed = { ...read, file: { ...read.file, ...said } }
        const { client, orgId, deviceId } = await administration(flags)
        const on = { client, orgId, deviceId: await deviceId(required(DEVICE, 'DEVICE')), json: flags.json }
        if (flags.check) return check(placed, on)
        const { file } = placed
        const result = await client.commission({ orgId, deviceId: on.deviceId, body: file }).catch(async (error) => {
          // The answer names one mistake of the shape; a check names all.
          if (error instanceof ApiError && error.status === INVALID && error.field !== 'body')
            await reportMistakes(placed, on)
          throw error
        })
        for (const warning of result.warnings ?? []) warn(flags.json, placed.describe(warning))
        print(flags.json, result, () => describeResult(file, result))
      },
    }),
  },
})

/** Makes the file of `--from-template`, if that is given. */
async function madeFile(
  flags: { 'from-template'?: string | undefined; set?: string[] | undefined; out?: string | undefined },
  { DEVICE, FILE }: { DEVICE: string | undefined; FILE: string | undefined },
): Promise<PlacedFile | undefined> {
  const { 'from-template': name, set, out } = flags
  if (name === undefined) {
    if (set !== undefined || out !== undefined) throw new UsageError('--set and --out need --from-template')
    required(DEVICE, 'DEVICE')
    required(FILE, 'FILE')
    return undefined
  }
  if (FILE !== undefined) throw new UsageError('give either FILE or --from-template')
  const describe = ({ path, message }: FileProblem) => `${path}: ${message}`
  return { file: await fileFromTemplate(name, set), describe }
}

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
  const { problems, warnings, held, device, before, matched = [] } = result
  const isValid = problems.length === 0
  const changes = isValid ? changesOf(before ?? undefined, file) : undefined
  for (const warning of warnings) warn(json, describe(warning))
  if (!device.checked && isValid && !json) console.error(printable(`checked by the cloud only: ${device.reason}`))
  print(json, { ...result, changes: changes ?? null }, () =>
    [
      ...problems.map(describe),
      ...held.map((one) => describeHeld(one, file)),
      ...matched.map((one) => describeMatched(one, file)),
      ...(changes ? describeChanges(file.technicalSystem, changes) : []),
    ]
      .map(printable)
      .join('\n'),
  )
  if (!isValid || held.some((one) => !keepsHold(one, file))) throw new ReportedFailure()
}

function describeHeld(held: HeldDatapoint, file: CommissioningFile): string {
  const { connection, datapoint, fields, fixed } = held
  const name = `${connection}/${datapoint} is held and`
  if (keepsHold(held, file)) return `${name} stays held over its new ${fields.join(', ')}`
  if (fields.includes('datapoint')) return `${name} cannot be removed: release it first, or close its hold`
  const kept = file.sameEquipment && fixed ? fixed : fields
  const remedy = fixed?.length === 0 ? ', or add --same-equipment if the new address reaches the same equipment' : ''
  return `${name} must keep its ${kept.join(', ')}: release it first${remedy}`
}

/** Says how an item got its id: `Inverter/Power is the former Charge power and keeps its id`. */
function describeMatched({ path, id, by, was }: MatchedItem, { connections }: CommissioningFile): string {
  const [c = 0, d] = path.match(/\d+/g)?.map(Number) ?? []
  const connection = connections[c]
  const datapoint = d === undefined ? undefined : connection?.datapoints[d]
  const name = [connection, datapoint].flatMap((item) => item?.name ?? []).join('/')
  return by === 'new' ? `${name} is new: ${id}` : `${name} is the former ${was}, by its ${by}, and keeps its id ${id}`
}

function describeResult(file: CommissioningFile, result: CommissioningResult): string {
  return [
    `${result.technicalSystemId}  ${file.technicalSystem}`,
    ...result.connections.flatMap((connection) => [
      `  ${connection.id}  ${connection.name}`,
      ...connection.datapoints.map((datapoint) => `    ${datapoint.id}  ${datapoint.name}`),
    ]),
    ...(result.matched ?? []).map((one) => describeMatched(one, file)),
  ]
    .map(printable)
    .join('\n')
}
