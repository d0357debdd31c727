// Tests of the console see it as a British browser does, whatever the machine is set to.
Object.defineProperty(navigator, 'languages', { value: ['en-GB'], configurable: true })
