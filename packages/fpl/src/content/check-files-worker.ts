import { parentPort, workerData } from 'node:worker_threads'
import { openFileSource } from '../archive/byte-source.ts'
import { checkPieces, type SharedWork, sharedEntries } from './shared-work.ts'

/** Entry point of the threads that `checkFiles` starts: replies with the piece that failed, or with null. */
const { path, work } = workerData as { path: string; work: SharedWork }
const source = openFileSource(path)
const failed = await checkPieces(source, work, { entriesOf: (piece) => sharedEntries(work, piece) })
source.close()
parentPort?.postMessage(failed?.piece ?? null)
