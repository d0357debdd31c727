import { expect, test } from 'vitest'
import { createUnsavedWork } from './unsaved-work.ts'

test('what is not saved is kept for the person who wrote it, until it is saved', () => {
  const work = createUnsavedWork()
  work.begin('ann')
  let isSaved = false
  work.keep('file', { name: 'Roof' }, () => !isSaved)
  work.begin('ann')
  expect([work.find('file'), work.find('other'), work.hasAny()]).toEqual([{ name: 'Roof' }, undefined, true])
  isSaved = true
  expect([work.find('file'), work.hasAny()]).toEqual([undefined, false])
})

test('nobody else sees it, and a sign-out forgets it', () => {
  const work = createUnsavedWork()
  work.begin('ann')
  work.keep('file', 1, () => true)
  work.begin('ben')
  expect(work.find('file')).toBeUndefined()
  work.keep('file', 2, () => true)
  work.forget()
  expect([work.find('file'), work.hasAny()]).toEqual([undefined, false])
})
