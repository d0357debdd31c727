/** How many points go into one request: an answer with that many of the most talkative ones stays well within bounds. */
const MOST_IN_ONE_REQUEST = 50

/** Shares out what is to be read over requests, each path once, in the order asked. */
export function planRequests(paths: Iterable<string>): readonly (readonly string[])[] {
  const distinct = [...new Set(paths)]
  const requests: string[][] = []
  for (let start = 0; start < distinct.length; start += MOST_IN_ONE_REQUEST) {
    requests.push(distinct.slice(start, start + MOST_IN_ONE_REQUEST))
  }
  return requests
}
