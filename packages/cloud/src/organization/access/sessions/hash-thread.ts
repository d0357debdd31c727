import { parentPort } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'
import { giveWay } from '@plantroom/base/give-way'
import type { HashAnswer, HashQuestion } from './hashing.ts'

/** Entry point of the thread that hashes passwords: it answers questions one after the other. */
if (process.platform === 'linux') giveWay()

// Argon2id with the library's defaults, which are deliberately expensive.
function answer({ password, hash }: HashQuestion): HashAnswer {
  try {
    return hash === undefined ? { hash: hashSync(password) } : { isRight: verifySync(hash, password) }
  } catch (error) {
    return { error: String(error) }
  }
}

parentPort?.on('message', (question: HashQuestion) => parentPort?.postMessage(answer(question)))
