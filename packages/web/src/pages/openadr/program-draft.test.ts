import { PROFILES } from '@plantroom/openadr/profiles'
import { describe, expect, test } from 'vitest'
import { blankDraft, bodyOf, draftOf, draftProblems, type ProgramDraft, withProfile } from './program-draft.ts'
import { aProgram } from './testing/examples.ts'

const problemsOf = (draft: ProgramDraft, before?: ReturnType<typeof aProgram>) =>
  Object.entries(draftProblems(draft, { before, ownProfile: undefined })).flatMap(([name, problem]) =>
    problem ? [name] : [],
  )

describe('a draft of a program', () => {
  test('names what is missing', () => {
    expect(problemsOf(blankDraft('School'))).toEqual(['name', 'vtnUrl', 'clientId', 'clientSecret'])
  })

  test('of a stored program is complete without its secret, which stays', () => {
    const before = aProgram()
    expect(problemsOf(draftOf(before), before)).toEqual([])
    expect(bodyOf(draftOf(before), undefined)).not.toHaveProperty('clientSecret')
  })

  test.each([
    { vtnUrl: 'https://other.example.com/' },
    { clientId: 'other' },
    { tokenUrl: 'https://other.example.com/token' },
  ])('asks for the secret again with %j: the stored one must not go elsewhere', (change) => {
    const before = aProgram()
    expect(problemsOf({ ...draftOf(before), ...change }, before)).toEqual(['clientSecret'])
  })

  test('takes the version of a profile that has only one', () => {
    expect(withProfile('switch')).toEqual({ profile: 'switch', version: '3.0' })
    const before = aProgram()
    expect(problemsOf({ ...draftOf(before), profile: 'switch' }, before)).toEqual(['version'])
  })

  test('needs a valid own profile, and sends it only with that choice', () => {
    const before = aProgram()
    const draft = { ...draftOf(before), profile: 'own' } as const
    expect(problemsOf(draft, before)).toEqual(['profile'])
    expect(bodyOf(draft, PROFILES.switch).ownProfile).toBe(PROFILES.switch)
    expect(bodyOf({ ...draft, profile: 'switch' }, PROFILES.switch).ownProfile).toBeNull()
  })

  test.each([9, 3601, 60.5, ''])('is not asked every %s seconds', (pollSeconds) => {
    const before = aProgram()
    expect(problemsOf({ ...draftOf(before), pollSeconds }, before)).toEqual(['pollSeconds'])
  })
})
