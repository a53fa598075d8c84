include $(sort $(wildcard $(BR2_EXTERNAL_SINGULATE_PATH)/package/*/*.mk))
