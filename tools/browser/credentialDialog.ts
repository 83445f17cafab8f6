import type { Locator, Page } from 'playwright-core';
import { testId } from './testId';

/** The dialog in which a credential is made and changed. */
export class CredentialDialog {
	private readonly dialog: Locator;

	constructor(
		private readonly page: Page,
		private readonly closesWhenTheTestSucceeds: boolean,
	) {
		this.dialog = page.locator(testId('editCredential-modal'));
	}

	async isOpen(): Promise<void> {
		await this.dialog.waitFor();
	}

	async fill(field: string, value: string): Promise<void> {
		await this.dialog.locator(`${testId(`parameter-input-${field}`)} input`).fill(value);
	}

	/** Chooses from a list by what a person reads there. */
	async choose(field: string, option: string): Promise<void> {
		await this.dialog.locator(testId(`parameter-input-${field}`)).click();
		await this.page
			.locator(`${testId('parameter-input-item')}:visible`)
			.filter({ hasText: option })
			.click();
	}

	/** Types its name into the title. */
	async rename(name: string): Promise<void> {
		await this.dialog.locator(testId('credential-name')).click();
		await this.page.keyboard.press('ControlOrMeta+A');
		await this.page.keyboard.type(name);
		await this.page.keyboard.press('Enter');
	}

	async labels(): Promise<string[]> {
		return await this.dialog.locator('label').allInnerTexts();
	}

	/** Saves and waits until n8n says that the connection works. */
	async saveWorking(): Promise<void> {
		await this.save();
		if (this.closesWhenTheTestSucceeds) {
			await this.dialog.waitFor({ state: 'detached' });
			await this.page.locator(testId('credential-edit-button')).click();
		}
		await this.dialog.getByText('Connection tested successfully').waitFor();
	}

	/** Saves, and waits until the dialog has closed, as the newest n8n does when all is well. */
	async saveAndLeave(): Promise<void> {
		await this.save();
		await this.dialog.waitFor({ state: 'detached' });
	}

	/** Saves, waits until n8n says that the connection does not work, and gives all that it says. */
	async saveBroken(): Promise<string> {
		await this.save();
		await this.dialog.getByText('Couldn’t connect with these settings').waitFor();
		await this.dialog.getByText('More details').click();
		await this.dialog.getByText('More details').waitFor({ state: 'hidden' });
		return await this.dialog.innerText();
	}

	private async save(): Promise<void> {
		await this.dialog.locator(testId('credential-save-button')).click();
	}
}
