/** The version of the service, the console and the controller, as each of them was built. */
export const VERSION = '0.1.0'
