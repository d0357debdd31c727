import { describe, expect, test } from 'vitest'
import { createRouteTimes } from './route-times.ts'

describe('the times of routes', () => {
  test('are a histogram whose buckets count all that took no longer', () => {
    const times = createRouteTimes()
    for (const seconds of [0.0005, 0.001, 0.004, 20]) times.record('GET', '/a', 200, seconds)
    const lines = times.text().split('\n')
    const bucket = (le: string) =>
      lines
        .find((line) => line.includes(`le="${le}"`))
        ?.split(' ')
        .at(-1)
    expect([bucket('0.001'), bucket('0.0025'), bucket('0.005'), bucket('10'), bucket('+Inf')]).toEqual([
      '2',
      '2',
      '3',
      '3',
      '4',
    ])
    expect(lines).toContain('plantroom_http_request_seconds_count{method="GET",route="/a"} 4')
    expect(lines).toContain('plantroom_http_request_seconds_sum{method="GET",route="/a"} 20.0055')
  })

  test('are kept apart by method and route, and answers by status too', () => {
    const times = createRouteTimes()
    times.record('GET', '/a', 200, 0.1)
    times.record('GET', '/a', 404, 0.1)
    times.record('POST', '/a', 200, 0.1)
    times.record('GET', '/b', 200, 0.1)
    const answers = times
      .text()
      .split('\n')
      .filter((line) => line.startsWith('plantroom_http_answers_total'))
    expect(answers).toEqual([
      'plantroom_http_answers_total{method="GET",route="/a",status="200"} 1',
      'plantroom_http_answers_total{method="GET",route="/a",status="404"} 1',
      'plantroom_http_answers_total{method="GET",route="/b",status="200"} 1',
      'plantroom_http_answers_total{method="POST",route="/a",status="200"} 1',
    ])
  })
})
