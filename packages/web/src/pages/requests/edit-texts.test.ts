import { expect, test } from 'vitest'
import { changesOf, mergeTexts, textsOf } from './edit-texts.ts'

const SEEN = { title: 'Tap', description: 'Drips', notes: null, resolutionSummary: null }

test('only changed fields are sent, with what was loaded', () => {
  expect(changesOf(SEEN, textsOf(SEEN))).toEqual({ isChanged: false, changes: {}, before: {} })
  expect(changesOf(SEEN, { ...textsOf(SEEN), title: ' Sink ', description: ' ', notes: 'n' })).toEqual({
    isChanged: true,
    changes: { title: 'Sink', description: null, notes: 'n' },
    before: { title: 'Tap', description: 'Drips', notes: null },
  })
})

test('what someone else changed is taken over where nothing was typed, and a conflict where something was', () => {
  const typed = { ...textsOf(SEEN), title: 'Mine', resolutionSummary: 'Same' }
  const now = { title: 'Theirs', description: 'Their text', notes: null, resolutionSummary: 'Same' }
  expect(mergeTexts(SEEN, now, typed)).toEqual({
    typed: { title: 'Mine', description: 'Their text', notes: '', resolutionSummary: 'Same' },
    conflicts: [{ field: 'title', theirs: 'Theirs' }],
  })
})
