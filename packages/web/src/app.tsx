import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { queries } from './api/queries.ts'
import { Routes } from './routes.tsx'
import { ErrorBoundary } from './shell/error-boundary.tsx'
import { FreshCheckDialog } from './shell/fresh-check-dialog.tsx'
import { cssVariables, theme } from './theme.ts'

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
        <Notifications position="bottom-center" />
        <ErrorBoundary>
          <Routes />
          <FreshCheckDialog />
        </ErrorBoundary>
      </QueryClientProvider>
    </MantineProvider>
  )
}
