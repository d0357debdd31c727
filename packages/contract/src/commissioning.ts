import { ACCESS_TYPES, type AccessType, type Envelope, PROTOCOLS, type Protocol, type Scaler } from './datapoint.ts'
import { NOT_BLANK } from './patterns.ts'

/** A commissioning file, as an installer writes it: one technical system of a device. */
export interface CommissioningFile {
  technicalSystem: string
  connections: readonly CommissionedConnection[]
}

export interface CommissionedConnection {
  name: string
  protocol: Protocol
  settings: Record<string, unknown>
  datapoints: readonly CommissionedDatapoint[]
}

export interface CommissionedDatapoint {
  name: string
  accessType: AccessType
  writeInputType?: 'number'
  writeInputData?: Envelope
  analyticsInterval?: number
  analyticsCalculateConsumption?: boolean
  broadcastInterval?: number
  writeInterval?: number
  scaler?: Scaler
  data: Record<string, unknown>
}

/** What `commission` answers: the ids to call commands with. */
export interface CommissioningResult {
  technicalSystemId: string
  connections: { id: string; name: string; datapoints: { id: string; name: string }[] }[]
}

const name = { type: 'string', minLength: 1, maxLength: 255, pattern: NOT_BLANK } as const
const number = { type: 'number' } as const
const seconds = { type: 'integer', minimum: 0, maximum: 86_400 } as const
const anyFields = { type: 'object' } as const

function exactly<Fields extends Record<string, object>, Required extends keyof Fields & string>(
  properties: Fields,
  required: readonly Required[],
) {
  return { type: 'object', properties, required, additionalProperties: false } as const
}

const envelope = exactly({ min: number, max: number }, ['min', 'max'])
const scaler = exactly({ inputValue1: number, outputValue1: number, inputValue2: number, outputValue2: number }, [
  'inputValue1',
  'outputValue1',
  'inputValue2',
  'outputValue2',
])

const datapoint = exactly(
  {
    name,
    accessType: { type: 'string', enum: ACCESS_TYPES },
    writeInputType: { type: 'string', enum: ['number'] },
    writeInputData: envelope,
    analyticsInterval: seconds,
    analyticsCalculateConsumption: { type: 'boolean' },
    broadcastInterval: seconds,
    writeInterval: seconds,
    scaler,
    data: anyFields,
  },
  ['name', 'accessType', 'data'],
)

const connection = exactly(
  {
    name,
    protocol: { type: 'string', enum: PROTOCOLS },
    settings: anyFields,
    datapoints: { type: 'array', items: datapoint, maxItems: 10_000 },
  },
  ['name', 'protocol', 'settings', 'datapoints'],
)

/** The shape of a commissioning file. Settings and data belong to the protocol: its driver judges them. */
export const commissioningSchema = exactly(
  { technicalSystem: name, connections: { type: 'array', items: connection, maxItems: 1_000 } },
  ['technicalSystem', 'connections'],
)

export interface FileProblem {
  path: string
  message: string
}

/** What the shape cannot say: names that must differ, lines that must have a slope. All mistakes, in file order. */
export function fileProblems(file: CommissioningFile): FileProblem[] {
  const sameConnection = nameTaken('connections')
  return file.connections.flatMap((connection, c) => {
    const path = `connections[${c}].datapoints`
    const sameDatapoint = nameTaken(path)
    return [
      ...sameConnection(connection.name, c),
      ...connection.datapoints.flatMap((datapoint, d) => [
        ...sameDatapoint(datapoint.name, d),
        ...datapointProblems(datapoint, `${path}[${d}]`),
      ]),
    ]
  })
}

function datapointProblems(datapoint: CommissionedDatapoint, path: string): FileProblem[] {
  const problems: FileProblem[] = []
  const { writeInputData, scaler } = datapoint
  if (datapoint.accessType === 'READ') {
    for (const field of ['writeInputType', 'writeInputData'] as const) {
      if (datapoint[field] === undefined) continue
      problems.push({ path: `${path}.${field}`, message: 'belongs to a datapoint that can be written' })
    }
  }
  if (writeInputData && writeInputData.min > writeInputData.max) {
    const message = `min ${writeInputData.min} is above max ${writeInputData.max}`
    problems.push({ path: `${path}.writeInputData`, message })
  }
  if (scaler && (scaler.inputValue1 === scaler.inputValue2 || scaler.outputValue1 === scaler.outputValue2)) {
    problems.push({ path: `${path}.scaler`, message: 'needs two different inputs and two different outputs' })
  }
  return problems
}

/** Remembers the names of one list, and tells which were there before. */
function nameTaken(path: string): (name: string, index: number) => FileProblem[] {
  const first = new Map<string, number>()
  return (name, index) => {
    const before = first.get(name)
    if (before === undefined) first.set(name, index)
    return before === undefined
      ? []
      : [{ path: `${path}[${index}].name`, message: `"${name}" is the name of ${path}[${before}] already` }]
  }
}
