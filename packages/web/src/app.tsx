import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { readsSettled } from './api/fetch-in-time.ts'
import { queries } from './api/queries.ts'
import { Routes } from './routes.tsx'
import { ErrorBoundary } from './shell/error-boundary.tsx'
import { FreshCheck } from './shell/fresh-check.tsx'
import { cssVariables, theme } from './theme.ts'

// Nobody needs it before something has happened. What is reported until then waits for it.
const Notifications = lazy(async () => {
  await readsSettled()
  return { default: (await import('./shell/notifications.tsx')).Notifications }
})

const colorSchemes = localStorageColorSchemeManager({ key: 'plantroom-color-scheme' })
const nonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? ''
// The scroll lock of dialogs adds a style element and reads its nonce from here.
Object.assign(globalThis, { __webpack_nonce__: nonce })

export function App() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemes}
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queries}>
        <Suspense>
          <Notifications />
        </Suspense>
        <ErrorBoundary>
          <Routes />
          <FreshCheck />
        </ErrorBoundary>
      </QueryClientProvider>
    </MantineProvider>
  )
}
