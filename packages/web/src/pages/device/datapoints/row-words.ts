import type { Datapoint } from '@plantroom/contract/datapoint'
import type { ConnectionStatus } from '@plantroom/contract/values'
import type { Writer } from '@plantroom/contract/writers'
import {
  holderSentence,
  nextSentence,
  troubleSentence,
  untilSentence,
  type When,
  writerName,
} from '../../../parts/hold-words.ts'
import { shownValue } from '../../../parts/value.ts'
import { datapoints as texts } from '../../../texts/device.ts'
import { holds } from '../../../texts/holds.ts'
import { ageWords } from '../age.ts'
import type { DatapointRow } from '../rows.ts'

/** All that is shown of a datapoint. Only plain values: a row is drawn anew when one of them changes, and not else. */
export interface RowWords {
  id: string
  name: string
  /** What may be done with it: read only, or its envelope. */
  hint: string
  value: string
  problem: string
  age: string
  isOld: boolean
  /** Empty where nobody holds it. */
  by: Writer | ''
  holder: string
  heldAt: string
  until: string
  next: string
  trouble: string
  canOverride: boolean
  /** The window to release; `null` where demand response does not hold it. */
  windowId: string | null
}

export function rowWords(
  { datapoint, value, hold, overrides, isWritable }: DatapointRow,
  {
    when,
    status,
    isLost,
    canManage,
  }: { when: When; status: ConnectionStatus | undefined; isLost: boolean; canManage: boolean },
): RowWords {
  const age = ageWords(value?.timestamp, { now: when.now, status, isLost })
  return {
    id: datapoint.id,
    name: datapoint.name,
    hint: hintOf(datapoint, isWritable),
    value: shownValue(value?.value),
    problem: value?.error ? texts.cannotRead(value.error) : '',
    age: age.text,
    isOld: age.isOld,
    ...(hold
      ? {
          by: hold.by,
          holder: holderSentence(hold, overrides),
          heldAt: hold.value === null ? '' : texts.heldAt(shownValue(hold.value)),
          until: untilSentence(hold, when),
          next: nextSentence(hold),
          trouble: troubleSentence(hold),
        }
      : {
          by: (value?.locked && value.lockedBy) || '',
          holder: value?.locked && value.lockedBy ? writerName(value.lockedBy) : '',
          heldAt: '',
          until: '',
          next:
            value?.deviationCachedValue === undefined ? '' : holds.thenBackTo(shownValue(value.deviationCachedValue)),
          trouble: '',
        }),
    canOverride: canManage && isWritable,
    windowId: canManage && hold?.by === 'demand-response' ? hold.overrideId : null,
  }
}

function hintOf({ accessType, writeInputData }: Datapoint, isWritable: boolean): string {
  if (accessType === 'READ') return texts.readOnly
  if (!isWritable) return texts.failsafe
  const envelope = writeInputData && texts.envelope(shownValue(writeInputData.min), shownValue(writeInputData.max))
  return [accessType === 'WRITE' ? texts.writeOnly : '', envelope].filter(Boolean).join(', ')
}
