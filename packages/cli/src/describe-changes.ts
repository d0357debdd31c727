import {
  type CommissioningChanges,
  type FieldChange,
  type ItemChange,
  isSecretField,
  type NormalSlot,
} from '@plantroom/contract/commissioning'

/** Lists what loading a file would change, one line each, every value from and to. */
export function describeChanges(system: string, changes: CommissioningChanges): string[] {
  const { connections, schedules, peakShaving, powerLimit } = changes
  return [
    SYSTEM[changes.system](system),
    ...connections.flatMap((connection) => [
      ...describeItem(`connection ${connection.name}`, connection),
      ...connection.datapoints.flatMap((datapoint) =>
        describeItem(`  ${connection.name}/${datapoint.name}`, datapoint),
      ),
    ]),
    ...schedules.flatMap((schedule) => [
      ...describeItem(`schedule ${schedule.name}`, schedule),
      ...schedule.slots.map(({ from, to }) => `    slot: ${shownSlot(from)} -> ${shownSlot(to)}`),
      ...(schedule.isReordered ? ['    the slots are in another order'] : []),
    ]),
    ...describePart('peak shaving', peakShaving),
    ...describePart('power limit', powerLimit),
  ]
}

const SYSTEM: Record<CommissioningChanges['system'], (system: string) => string> = {
  new: (system) => `${system} is new on this controller`,
  same: (system) => `${system} is already commissioned exactly like this`,
  changed: (system) => `${system} would change:`,
  removed: (system) => `${system} would be removed with everything in it`,
  absent: (system) => `the file has no connections, and the controller has no ${system}`,
}

function describePart(label: string, part: CommissioningChanges['powerLimit']): string[] {
  if (!part) return []
  return [
    ...describeItem(label, { name: '', ...part }),
    ...part.loads.flatMap((load) => describeItem(`  load ${load.name}`, load)),
    ...part.inputs.flatMap((input) => describeItem(`  contact ${input.name}`, input)),
  ]
}

function describeItem(label: string, { change, fields }: ItemChange): string[] {
  const indent = /^ */.exec(label)?.[0] ?? ''
  return [`${indent}  ${change}: ${label.trim()}`, ...fields.map((field) => `${indent}    ${describeField(field)}`)]
}

function describeField({ field, from, to }: FieldChange): string {
  return isSecretField({ field, from, to }) ? `${field}: changed (secret)` : `${field}: ${shown(from)} -> ${shown(to)}`
}

const shown = (value: unknown) => (value === undefined ? 'not set' : JSON.stringify(value))

function shownSlot(slot: NormalSlot | undefined): string {
  if (!slot) return 'none'
  const { days, from, to, mode, value } = slot
  return `${days.join(',')} ${from}-${to} ${mode === 'offset' ? `offset ${value}` : value}`
}
