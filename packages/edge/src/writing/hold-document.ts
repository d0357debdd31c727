import type { Raw } from '@plantroom/drivers/driver'
import { FREE, type Hold, type Plain, type Trouble } from './hold.ts'

/** A hold as JSON, which has no `bigint`. The field names are those on the disks of devices in the field. */
export interface HoldDocument
  extends Partial<Omit<Hold, 'plain' | 'releasing' | 'reported' | 'shows' | 'setpoints' | 'recent' | 'sent'>> {
  claims: Hold['claims']
  plain?: PlainDocument
  handingBack?: Hold['releasing']
  told: readonly Trouble[]
  shows?: PlainDocument
  setpoints?: readonly PlainDocument[]
  recent?: { setpoints: readonly PlainDocument[]; plain: PlainDocument }
  sent?: { value: PlainDocument; isAcknowledged: boolean }
}

export function toDocument(hold: Hold): HoldDocument {
  const { plain, releasing, reported, shows, setpoints, recent, sent, ...rest } = hold
  return {
    ...rest,
    handingBack: releasing,
    told: reported,
    ...(plain && { plain: plainDocument(plain) }),
    ...(shows !== undefined && { shows: plainDocument({ raw: shows }) }),
    ...(setpoints && { setpoints: rawDocuments(setpoints) }),
    ...(recent && { recent: { setpoints: rawDocuments(recent.setpoints), plain: plainDocument(recent.plain) } }),
    ...(sent && { sent: { ...sent, value: plainDocument(sent.value) } }),
  }
}

const rawDocuments = (raws: readonly Raw[]) => raws.map((raw) => plainDocument({ raw }))
const rawsFrom = (documents: readonly PlainDocument[]) => documents.flatMap((one) => plainFromDocument(one).raw ?? [])

/** A plain value as JSON. */
type PlainDocument = ({ raw: number | null } | { digits: string }) & Omit<Plain, 'raw'>

export function plainDocument({ raw, ...rest }: Plain): PlainDocument {
  return { ...(typeof raw === 'bigint' ? { digits: String(raw) } : { raw }), ...rest }
}

export function fromDocument(document: HoldDocument): Hold {
  const { plain, unsettled = [], handingBack, told, shows, setpoints, recent, sent, ...rest } = document
  const shown = shows && plainFromDocument(shows).raw
  return {
    ...FREE,
    ...rest,
    plain: plain && plainFromDocument(plain),
    releasing: handingBack,
    reported: told,
    // An earlier version kept entry numbers here and the entries elsewhere. Those are already on their way.
    unsettled: unsettled.filter((entry) => typeof entry === 'object'),
    ...(shown !== null && shown !== undefined && { shows: shown }),
    ...(setpoints && { setpoints: rawsFrom(setpoints) }),
    ...(recent && { recent: { setpoints: rawsFrom(recent.setpoints), plain: plainFromDocument(recent.plain) } }),
    ...(sent && { sent: { ...sent, value: plainFromDocument(sent.value) } }),
  }
}

function plainFromDocument(document: PlainDocument): Plain {
  if (!('digits' in document)) return document
  const { digits, ...rest } = document
  return { raw: BigInt(digits), ...rest }
}
