import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** The form of an export, for programs that read one later. */
const FORM = 1

/** Links in their order; `position` identifies a link to the next read. */
type ChainPage = readonly { position: string; entry: string; key: string | null; signature: string | null }[]

interface SignedChain {
  /** Used in a header as it is, so it must not contain user input. */
  filename: string
  /** Whose chain it is. Every entry has the same field. */
  owner: { deviceId: string } | { organizationId: string | null }
  /** Gets the position of the last link read; `undefined` for the first page. Ends with an empty page. */
  read(after: string | undefined): Promise<ChainPage>
}

/**
 * Answers with a chain as it was signed: one JSON document per line, first what it is, then every entry with its exact
 * text. `plantroom audit verify` checks it without the service.
 */
export async function sendChain(reply: FastifyReply, chain: SignedChain): Promise<FastifyReply> {
  const first = await chain.read(undefined)
  return reply
    .type('application/x-ndjson; charset=utf-8')
    .header('content-disposition', `attachment; filename="${chain.filename}"`)
    .send(Readable.from(chainText(chain, first), { objectMode: false }))
}

async function* chainText({ owner, read }: SignedChain, first: ChainPage): AsyncGenerator<string> {
  yield line({ plantroomAudit: FORM, ...owner })
  for (let page = first; page.length > 0; page = await read(page.at(-1)?.position)) {
    yield page
      .map(({ entry, key, signature }) => line({ entry, ...(key !== null && { signed: { key, signature } }) }))
      .join('')
  }
}

const line = (value: object) => `${JSON.stringify(value)}\n`
