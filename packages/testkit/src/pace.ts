/** About 10 ms, which is longer than most queries take. */
const MOST_TURNS = 2_000

/**
 * Chooses what a manual clock waits for between two timers. In the suite it is one turn of the event loop, so that all
 * pending promise callbacks run. In the campaign `paces`, each clock has its own number of turns. Queries and flushes
 * beside it then take more timers or fewer than in the suite, and a test that relies on their number fails.
 */
export function choosePace(
  isCampaign = process.env.PLANTROOM_TEST_PACES !== undefined,
  random: () => number = Math.random,
): () => Promise<void> {
  if (!isCampaign) return nextTurn
  const most = MOST_TURNS ** random()
  return async () => {
    for (let turn = Math.ceil(most * random()); turn > 1; turn -= 1) await nextTurn()
    await nextTurn()
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
