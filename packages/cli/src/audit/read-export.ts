import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { AUDIT_FORM } from '@plantroom/contract/audit-head'
import { read } from '@plantroom/contract/read'
import { integer, nullable, object, optional, text } from '@plantroom/contract/schema'
import type { Contents, HeadLine } from './judge.ts'
import { type ChainOwner, createChainCheck } from './verify-chain.ts'

const Signed = object({ key: text(), signature: text() })
const FirstLine = object({
  plantroomAudit: integer({ minimum: 1, maximum: AUDIT_FORM }),
  deviceId: optional(text()),
  organizationId: optional(nullable(text())),
})
const Line = object({ entry: optional(text()), head: optional(text()), signed: optional(Signed) })

/** Reads an export line by line, so that its size does not matter. `fingerprints` are the only keys that may sign it. */
export async function readExport(file: string, fingerprints: readonly string[]): Promise<Contents> {
  await access(file, constants.R_OK).catch(({ code }: NodeJS.ErrnoException) => {
    throw new Error(`${file} cannot be read (${code}): check the path`)
  })
  const reading = createReader(fingerprints)
  let number = 0
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1
    try {
      reading.add(line)
    } catch {
      throw new Error(`line ${number} of ${file} is not part of an exported audit: export it again`)
    }
  }
  const contents = reading.end()
  if (!contents) throw new Error(`${file} is empty: export the audit again`)
  return contents
}

/** Takes the lines of an export, in order. Throws for a line that none has. */
export function createReader(fingerprints: readonly string[]) {
  const digest = createHash('sha256')
  let begun: { owner: ChainOwner; form: number; check: ReturnType<typeof createChainCheck> } | undefined
  let head: HeadLine | undefined

  return {
    add(line: string): void {
      if (head) throw new Error('there is nothing after the head')
      const given: unknown = JSON.parse(line)
      if (!begun) {
        const { plantroomAudit: form, ...of } = read(FirstLine, given)
        const owner = ownerIn(of)
        begun = { owner, form, check: createChainCheck({ owner, fingerprints }) }
      } else {
        const { entry, head: last, signed } = read(Line, given)
        if (entry !== undefined) begun.check.add({ entry, signed })
        else if (last !== undefined && signed && begun.form > 1) {
          head = { head: last, signed }
          // Nothing signs this line, so it must be exactly as the service writes it.
          if (JSON.stringify(head) !== line) throw new Error('the head has another form')
          return
        } else throw new Error('neither an entry nor a head')
      }
      digest.update(`${line}\n`)
    },
    end: (): Contents | undefined =>
      begun && {
        owner: begun.owner,
        form: begun.form,
        chain: begun.check.verdict(),
        head,
        lines: digest.digest('hex'),
      },
  }
}

function ownerIn({ deviceId, organizationId }: { deviceId?: string; organizationId?: string | null }): ChainOwner {
  if (deviceId !== undefined) return { deviceId }
  if (organizationId !== undefined) return { organizationId }
  throw new Error('the first line does not say whose chain it is')
}
