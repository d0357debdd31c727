import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { AuditKey } from '@plantroom/base/audit-key'
import { sha256 } from '@plantroom/base/sha256'
import { AUDIT_FORM, type AuditHead, type RecordedKey } from '@plantroom/contract/audit-head'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import type { FastifyReply } from 'fastify'

/** Links in their order; `position` identifies a link to the next read. */
type ChainPage = readonly { position: string; entry: string; key: string | null; signature: string | null }[]

interface SignedChain {
  /** Used in a header as it is, so it must not contain user input. */
  filename: string
  /** Whose chain it is. Every entry has the same field. */
  owner: { deviceId: string } | { organizationId: string | null }
  /** Gets the position of the last link read; `undefined` for the first page. Ends with an empty page. */
  read(after: string | undefined): Promise<ChainPage>
  /** The keys that may sign the entries. */
  keys(): Promise<RecordedKey[]>
  /** Signs the head. */
  key: AuditKey
  now(): number
}

/**
 * Answers with a chain as it was signed: one JSON document per line, first what it is, then every entry with its exact
 * text, then the signed head, which says how many entries there are. `plantroom audit verify` checks it without the service.
 */
export async function sendChain(reply: FastifyReply, chain: SignedChain): Promise<FastifyReply> {
  const first = await chain.read(undefined)
  return reply
    .type('application/x-ndjson; charset=utf-8')
    .header('content-disposition', `attachment; filename="${chain.filename}"`)
    .send(Readable.from(chainText(chain, first), { objectMode: false }))
}

async function* chainText(chain: SignedChain, first: ChainPage): AsyncGenerator<string> {
  const { owner, read } = chain
  const digest = createHash('sha256')
  const hashed = (text: string) => {
    digest.update(text)
    return text
  }
  let count = 0
  let oldest: string | undefined
  let newest: string | undefined
  yield hashed(line({ plantroomAudit: AUDIT_FORM, ...owner }))
  for (let page = first; page.length > 0; page = await read(page.at(-1)?.position)) {
    count += page.length
    oldest ??= page[0]?.entry
    newest = page.at(-1)?.entry
    yield hashed(
      page
        .map(({ entry, key, signature }) => line({ entry, ...(key !== null && { signed: { key, signature } }) }))
        .join(''),
    )
  }
  const head: AuditHead = {
    plantroomAuditHead: 1,
    ...owner,
    keys: await chain.keys(),
    count,
    first: seqOf(oldest),
    last: seqOf(newest),
    hash: newest === undefined ? null : sha256(newest),
    lines: digest.digest('hex'),
    at: formatTimestamp(chain.now()),
  }
  const text = JSON.stringify(head)
  yield line({ head: text, signed: chain.key.sign(sha256(text)) })
}

/** The service stored the entry, and has checked that it has a number. */
const seqOf = (entry: string | undefined): number | null => (entry === undefined ? null : Number(JSON.parse(entry).seq))

const line = (value: object) => `${JSON.stringify(value)}\n`
