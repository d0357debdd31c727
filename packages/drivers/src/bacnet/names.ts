import type { ObjectId } from './tags.ts'

/** The objects that a datapoint can be, and the kind of their values. */
export const OBJECT_TYPES = {
  'analog-input': { type: 0, values: 'analog', isInput: true },
  'analog-output': { type: 1, values: 'analog', isInput: false },
  'analog-value': { type: 2, values: 'analog', isInput: false },
  'binary-input': { type: 3, values: 'binary', isInput: true },
  'binary-output': { type: 4, values: 'binary', isInput: false },
  'binary-value': { type: 5, values: 'binary', isInput: false },
  'multi-state-input': { type: 13, values: 'states', isInput: true },
  'multi-state-output': { type: 14, values: 'states', isInput: false },
  'multi-state-value': { type: 19, values: 'states', isInput: false },
} as const
export type ObjectTypeName = keyof typeof OBJECT_TYPES
export type ValueKind = (typeof OBJECT_TYPES)[ObjectTypeName]['values']

const TYPE_NAMES = new Map(
  Object.entries(OBJECT_TYPES).map(([name, { type }]) => [type as number, name as ObjectTypeName]),
)

/** Returns the name of a type of objects that a datapoint can be; `undefined` for any other. */
export const objectTypeName = (type: number): ObjectTypeName | undefined => TYPE_NAMES.get(type)

export const DEVICE = 8

export const PROPERTY = {
  'active-text': 4,
  'high-limit': 45,
  'inactive-text': 46,
  'low-limit': 59,
  'max-apdu-length-accepted': 62,
  'max-pres-value': 65,
  'min-pres-value': 69,
  'number-of-states': 74,
  'object-identifier': 75,
  'object-name': 77,
  'present-value': 85,
  'priority-array': 87,
  reliability: 103,
  'relinquish-default': 104,
  'state-text': 110,
  'status-flags': 111,
  units: 117,
} as const
export type PropertyName = keyof typeof PROPERTY

/** Properties that only a scan reads. */
export const DESCRIBING = { description: 28, modelName: 70, objectList: 76, vendorName: 121 } as const

/** The priorities that a building keeps for people and for safety. */
export const RESERVED_PRIORITIES: ReadonlyMap<number, string> = new Map([
  [1, 'manual life safety'],
  [2, 'automatic life safety'],
  [5, 'critical equipment control'],
  [6, 'minimum on and off times'],
  [8, 'the operator'],
])

export const objectText = ({ type, instance }: ObjectId) =>
  `${TYPE_NAMES.get(type) ?? `object type ${type}`},${instance}`

/** Returns the name of a code from `names`, which has spaces between them and `-` for a number without one. */
const namer = (what: string, names: string) => {
  const list = names.trim().split(/\s+/)
  return (code: number) => (list[code] === undefined || list[code] === '-' ? `${what} ${code}` : list[code])
}

/** Returns the name of a reliability: what is wrong with an object. */
export const reliabilityText = namer(
  'reliability',
  `no-fault-detected no-sensor over-range under-range open-loop shorted-loop no-output unreliable-other process-error
  multi-state-fault configuration-error - communication-failure member-fault monitored-object-fault tripped
  lamp-failure activation-failure renew-dhcp-failure renew-fd-registration-failure restart-auto-negotiation-failure
  restart-failure proprietary-command-failure faults-listed referenced-object-fault multi-state-out-of-range`,
)

const rejectName = namer(
  'reason',
  `other buffer-overflow inconsistent-parameters invalid-parameter-data-type invalid-tag missing-required-parameter
  parameter-out-of-range too-many-arguments undefined-enumeration unrecognized-service`,
)

const abortName = namer(
  'reason',
  `other buffer-overflow invalid-apdu-in-this-state preempted-by-higher-priority-task segmentation-not-supported
  security-error insufficient-security window-size-out-of-range application-exceeded-reply-time out-of-resources
  tsm-timeout apdu-too-long`,
)

/** Codes of errors that need to be told apart, or that a building shows often. */
export const ERROR = {
  other: 0,
  configurationInProgress: 2,
  deviceBusy: 3,
  invalidDataType: 9,
  noSpaceToAddListElement: 19,
  operationalProblem: 25,
  readAccessDenied: 27,
  serviceRequestDenied: 29,
  timeout: 30,
  unknownObject: 31,
  unknownProperty: 32,
  valueOutOfRange: 37,
  writeAccessDenied: 40,
  covSubscriptionFailed: 43,
  notCovProperty: 44,
  optionalFunctionalityNotSupported: 45,
  datatypeNotSupported: 47,
  valueNotInitialized: 72,
  busy: 82,
  communicationDisabled: 83,
  outOfMemory: 133,
} as const
const ERROR_NAMES = new Map<number, string>(
  Object.entries(ERROR).map(([name, code]) => [code, name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)]),
)

export const REJECT = { bufferOverflow: 1, tooManyArguments: 7, unrecognizedService: 9 } as const
export const ABORT = {
  bufferOverflow: 1,
  preempted: 3,
  segmentationNotSupported: 4,
  outOfResources: 9,
  apduTooLong: 11,
}

export const describeError = ({ errorClass, code }: { errorClass: number; code: number }) =>
  `reports: ${ERROR_NAMES.get(code) ?? `class ${errorClass}, code ${code}`}`
export const describeReject = (reason: number) => `rejected the request: ${rejectName(reason).replaceAll('-', ' ')}`
export const describeAbort = (reason: number) => `aborted the request: ${abortName(reason).replaceAll('-', ' ')}`
