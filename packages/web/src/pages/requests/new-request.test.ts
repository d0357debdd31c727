import { describe, expect, test } from 'vitest'
import { BLANK, MYSELF, problemsOf, SOMEONE_ELSE, toBody } from './new-request.ts'

describe('the form of a new request', () => {
  test('requires only a title', () => {
    expect(Object.keys(problemsOf(BLANK))).toEqual(['title'])
    expect(Object.keys(problemsOf({ ...BLANK, title: ' \n' }))).toEqual(['title'])
    expect(problemsOf({ ...BLANK, title: 'Tap leaks' })).toEqual({})
  })

  test('rejects texts that are too long', () => {
    expect(Object.keys(problemsOf({ ...BLANK, title: 'x'.repeat(256), description: 'x'.repeat(50_001) }))).toEqual([
      'title',
      'description',
    ])
  })

  test('requires a name, address or phone number of another reporter', () => {
    const filled = { ...BLANK, title: 'Tap leaks', reporter: SOMEONE_ELSE }
    expect(Object.keys(problemsOf({ ...filled, name: ' ' }))).toEqual(['name'])
    expect(problemsOf({ ...filled, phone: '+372 5' })).toEqual({})
  })

  test('sends the filled fields', () => {
    expect(toBody({ ...BLANK, title: ' Tap leaks ', reporter: MYSELF })).toEqual({ title: 'Tap leaks' })
    expect(
      toBody({
        ...BLANK,
        title: 'Tap leaks',
        description: 'In the\nkitchen',
        priority: '0',
        unit: 'B-12',
        assignee: 'jaan@example.ee',
        reporter: 'mari@example.ee',
        name: 'left over from another choice',
      }),
    ).toEqual({
      title: 'Tap leaks',
      description: 'In the\nkitchen',
      priority: 0,
      unit: 'B-12',
      assignee: 'jaan@example.ee',
      reporter: { email: 'mari@example.ee' },
    })
    expect(toBody({ ...BLANK, title: 'Tap', reporter: SOMEONE_ELSE, name: ' Mari ', phone: '5' }).reporter).toEqual({
      name: 'Mari',
      phone: '5',
    })
  })
})
