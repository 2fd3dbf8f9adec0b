/** Keys and webhook secrets are stored, so files and folders of data are for the user alone. */
export const FILE_MODE = 0o600
export const FOLDER_MODE = 0o700
