const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Times and answers of one route. */
interface RouteTimes {
  labels: string
  /** Answers that took at most the bound of the same index, and more than the one before. */
  buckets: number[]
  count: number
  sum: number
  statuses: Map<number, number>
}

/**
 * A histogram of times and a count of answers by route. The metrics library hashes its labels for every observation,
 * which costs a twentieth of a values poll; here that is one look-up.
 */
export interface RouteTimesRecorder {
  record(method: string, route: string, status: number, seconds: number): void
  /** In the text form of Prometheus. */
  text(): string
}

export function createRouteTimes(): RouteTimesRecorder {
  const byMethod = new Map<string, Map<string, RouteTimes>>()

  function timesOf(method: string, route: string): RouteTimes {
    const routes = byMethod.get(method) ?? new Map<string, RouteTimes>()
    byMethod.set(method, routes)
    let times = routes.get(route)
    if (!times) {
      const labels = `method="${method}",route="${route}"`
      times = { labels, buckets: BOUNDS.map(() => 0), count: 0, sum: 0, statuses: new Map() }
      routes.set(route, times)
    }
    return times
  }

  return {
    record(method, route, status, seconds) {
      const times = timesOf(method, route)
      const bucket = BOUNDS.findIndex((bound) => seconds <= bound)
      if (bucket >= 0) times.buckets[bucket] = (times.buckets[bucket] ?? 0) + 1
      times.count += 1
      times.sum += seconds
      times.statuses.set(status, (times.statuses.get(status) ?? 0) + 1)
    },
    text() {
      const all = [...byMethod.values()].flatMap((routes) => [...routes.values()])
      return [
        '# HELP plantroom_http_request_seconds Time to answer, by route',
        '# TYPE plantroom_http_request_seconds histogram',
        ...all.flatMap(histogramLines),
        '# HELP plantroom_http_answers_total Answers, by route and status',
        '# TYPE plantroom_http_answers_total counter',
        ...all.flatMap(({ labels, statuses }) =>
          [...statuses].map(([status, count]) => `plantroom_http_answers_total{${labels},status="${status}"} ${count}`),
        ),
        '',
      ].join('\n')
    },
  }
}

function histogramLines({ labels, buckets, count, sum }: RouteTimes): string[] {
  let atMost = 0
  const bucketLines = BOUNDS.map((bound, index) => {
    atMost += buckets[index] ?? 0
    return `plantroom_http_request_seconds_bucket{le="${bound}",${labels}} ${atMost}`
  })
  return [
    ...bucketLines,
    `plantroom_http_request_seconds_bucket{le="+Inf",${labels}} ${count}`,
    `plantroom_http_request_seconds_sum{${labels}} ${sum}`,
    `plantroom_http_request_seconds_count{${labels}} ${count}`,
  ]
}
