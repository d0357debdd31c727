import { generateKeyPairSync, hash, sign } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { systemClock } from '@plantroom/base/clock'
import { createLog } from '@plantroom/base/log'
import type { ReportBatch } from '@plantroom/contract/reports'
import { createCommits } from '../../store/commits.ts'
import { createFactStore } from '../../store/fact-store.ts'
import { openJournal } from '../../store/journal.ts'
import { createReportStore } from '../../store/report-store.ts'
import { createAudit, createReportOutbox, type Happened } from '../audit.ts'
import { createAuditSigner } from '../audit-key.ts'

/**
 * Measures chaining and signing as the controller does both, and writes the chain as the cloud exports it. Arguments: a
 * folder for the journal, the file to write, the number of entries. Prints microseconds an entry, round by round.
 */
const [folder = '', file = '', count = ''] = process.argv.slice(2)
const ROUND = 1000
const DEVICE = 'dev_bench'

const log = createLog('edge', 'silent')
const journal = openJournal(folder)
const reserve = { hasRoom: () => true, release() {}, restore() {} }
const commits = createCommits({ journal, reserve, clock: systemClock, log })
const store = createReportStore(journal)
const signer = createAuditSigner({ facts: createFactStore(journal), log })
const audit = createAudit({ store, commits, deviceId: DEVICE, log, onReady() {} })
const outbox = createReportOutbox({ store, commits, signer })
// The key of the controller cannot be read: another one costs the same.
const { privateKey } = generateKeyPairSync('ed25519')

type Step = 'chained' | 'signed' | 'hashed' | 'bareSigned'
const times: Record<Step, number[]> = { chained: [], signed: [], hashed: [], bareSigned: [] }

const output = createWriteStream(file)
output.write(`${JSON.stringify({ plantroomAudit: 1, deviceId: DEVICE })}\n`)
for (let done = 0; done < Number(count); done += ROUND) await measureRound()
commits.close()
journal.close()
await new Promise((resolve) => output.end(resolve))
process.stdout.write(JSON.stringify(times))

async function measureRound(): Promise<void> {
  const pending = Array.from({ length: ROUND }, (_, index) => audit.entry(happened(index)))
  // The disk is not part of it: it stores an entry with its decision, chained or not.
  await commits.save((to) => measure('chained', pending, (entry) => audit.add(to, entry)))
  const batch = outbox.nextBatch()
  if (!batch) throw new Error('there is nothing to send')
  const { entries, signed } = JSON.parse(batch.payload) as ReportBatch
  const texts = entries.map((entry) => JSON.stringify(entry))
  const hashes = texts.map((text) => hash('sha256', text, 'buffer'))
  measure('hashed', texts, (text) => hash('sha256', text, 'buffer'))
  measure('signed', hashes, (digest) => signer.sign(digest.toString('hex')))
  measure('bareSigned', hashes, (digest) => sign(null, digest, privateKey))
  outbox.forget(batch.upTo)
  const last = texts.length - 1
  for (const [index, entry] of texts.entries()) {
    output.write(`${JSON.stringify({ entry, ...(index === last && { signed }) })}\n`)
  }
}

function measure<Item>(step: Step, items: readonly Item[], work: (item: Item) => unknown): void {
  const from = performance.now()
  for (const item of items) work(item)
  times[step].push(((performance.now() - from) * 1000) / items.length)
}

function happened(index: number): Happened {
  return {
    ...{ code: 4005, at: '2030-01-01T00:00:00.000Z', technicalSystemId: 'ts_1', connectionId: 'conn_1' },
    ...{ datapointId: 'dp_1', overrideId: `ovr_${index}`, reqId: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff' },
    ...{ phase: 'applied', reason: 'window', valueBefore: 10.5, value: index, readBack: index },
    placedBy: { id: 'key_1', name: 'Partner', reason: 'peak price' },
  }
}
