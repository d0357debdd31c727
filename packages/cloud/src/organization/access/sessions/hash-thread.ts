import { hashSync, verifySync } from '@node-rs/argon2'
import { answerQuestions } from '@plantroom/base/asked-thread'
import type { HashQuestion } from './hashing.ts'

/** Entry point of the thread that hashes passwords. Argon2id with the library's defaults, which are deliberately expensive. */
answerQuestions(({ password, hash }: HashQuestion) =>
  hash === undefined ? hashSync(password) : verifySync(hash, password),
)
